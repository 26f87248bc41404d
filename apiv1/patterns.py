"""The texts and dates that boards/text.py and boards/dates.py accept, as patterns for the description, in the regular
expressions of both ECMAScript and Python. They do not cover lone surrogates, and moments at the ends of 1970 and 9999
in other zones.
"""

SPACE = r"\t\n\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # what trimming takes away
CONTROL = r"\u0000-\u0008\u000b\u000c\u000e-\u001f"
ON_A_LINE = rf"[^\n\r{CONTROL}]"
LINE = rf"^[{SPACE}]*[^{SPACE}{CONTROL}]{ON_A_LINE}*[{SPACE}]*$"
TEXT = rf"^[^{CONTROL}]*$"
FILLED_TEXT = rf"^[^{CONTROL}]*[^{SPACE}{CONTROL}][^{CONTROL}]*$"

YEAR = "(19[7-9][0-9]|[2-9][0-9]{3})"
LEAP_YEAR = "(19(7[26]|8[048]|9[26])|[2-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[3579][26])00)"
HOUR, SIXTY = "([01][0-9]|2[0-3])", "[0-5][0-9]"


def _day(dash: str) -> str:
    month_and_day = "|".join(
        (
            f"(0[1-9]|1[0-2]){dash}(0[1-9]|1[0-9]|2[0-8])",
            f"(0[13-9]|1[0-2]){dash}(29|30)",
            f"(0[13578]|1[02]){dash}31",
        )
    )
    return f"({YEAR}{dash}({month_and_day})|{LEAP_YEAR}{dash}02{dash}29)"


def _moment(dash: str, colon: str) -> str:
    clock = f"{HOUR}({colon}{SIXTY}({colon}{SIXTY}([.,][0-9]+)?)?)?"
    midnight = f"24({colon}00({colon}00([.,]0+)?)?)?"
    offset = f"([Zz]|[+-]{HOUR}({colon}{SIXTY})?)"
    return f"{_day(dash)}([Tt]({clock}|{midnight}){offset}?)?"


DAY = f"^({_day('-')}|{_day('')})$"
MOMENT = f"^({_moment('-', ':')}|{_moment('', '')})$"
