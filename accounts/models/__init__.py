from accounts.models.plan import DefaultPlan, Plan
from accounts.models.token import Access, ApiToken, Bounds, MadeBy
from accounts.models.trusted_browser import TrustedBrowser
from accounts.models.user import Theme, User

__all__ = ["Access", "ApiToken", "Bounds", "DefaultPlan", "MadeBy", "Plan", "Theme", "TrustedBrowser", "User"]
