from accounts.models.plan import DefaultPlan, Plan
from accounts.models.token import Access, ApiToken, Bounds, LastLook, MadeBy
from accounts.models.trusted_browser import TrustedBrowser
from accounts.models.user import Density, StartPage, Theme, User
from accounts.models.work_filter import WorkFilter

__all__ = [
    "Access",
    "ApiToken",
    "Bounds",
    "DefaultPlan",
    "Density",
    "LastLook",
    "MadeBy",
    "Plan",
    "StartPage",
    "Theme",
    "TrustedBrowser",
    "User",
    "WorkFilter",
]
