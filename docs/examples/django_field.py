"""A field of Django for addresses: `inet` in PostgreSQL, text that sorts by the bits elsewhere."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

import fdaa


class AddressField(models.Field):
    description = "A private IPv6 address"

    def db_type(self, connection: Any) -> str:
        return "inet" if connection.vendor == "postgresql" else "varchar(39)"

    def to_python(self, value: object) -> fdaa.Address | None:  # from a form, a fixture, a database
        if value in self.empty_values:
            return None
        try:
            return fdaa.Address(str(value))
        except fdaa.AddressError as error:
            raise ValidationError(str(error)) from error

    def from_db_value(
        self, value: object, expression: object, connection: object
    ) -> fdaa.Address | None:
        return self.to_python(value)

    def get_prep_value(self, value: Any) -> str | None:
        if value in self.empty_values:
            return None
        return fdaa.Address(value).exploded
