import StructuredText
import Testing
