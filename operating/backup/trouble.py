class BackupTrouble(Exception):
    """A backup cannot be made, read or restored. str() is a sentence for the operator."""


class WrongPassphrase(BackupTrouble):
    def __init__(self) -> None:
        super().__init__("The passphrase is wrong.")
