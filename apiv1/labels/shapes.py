"""Labels of a board, as the API takes and shows them."""

from rest_framework import serializers

from apiv1.fields import Color, Line
from apiv1.shapes import LabelOut
from boards import text


class LabelIn(serializers.Serializer):
    name = Line(min_length=1, max_length=text.LABEL)
    color = Color(required=False, help_text="Blue when left out.")


class LabelChange(serializers.Serializer):
    name = Line(required=False, min_length=1, max_length=text.LABEL)
    color = Color(required=False)


class LabelAnswer(serializers.Serializer):
    label = LabelOut()  # type: ignore[assignment]  # a field of this name is taken out of the class


class LabelsAnswer(serializers.Serializer):
    labels = LabelOut(many=True)
