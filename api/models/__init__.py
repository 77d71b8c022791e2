"""What the API keeps for itself."""

from api.models.requests import Remembered

__all__ = ["Remembered"]
