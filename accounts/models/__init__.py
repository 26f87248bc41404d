from accounts.models.plan import DefaultPlan, Plan
from accounts.models.token import ApiToken, MadeBy
from accounts.models.trusted_browser import TrustedBrowser
from accounts.models.user import Theme, User

__all__ = ["ApiToken", "DefaultPlan", "MadeBy", "Plan", "Theme", "TrustedBrowser", "User"]
