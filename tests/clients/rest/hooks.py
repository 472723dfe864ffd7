"""What schemathesis cannot know of our documents by itself."""
import schemathesis


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Texts that hold JSON: schemathesis reads `content` of a parameter, and not `contentSchema`."""
    parameters = list(raw_schema["components"]["parameters"].values())
    for item in raw_schema["paths"].values():
        for operation in item.values():
            parameters += operation["parameters"]
    for parameter in parameters:
        schema = parameter.get("schema", {})
        if "contentSchema" in schema:
            parameter["content"] = {schema["contentMediaType"]: {"schema": schema["contentSchema"]}}
            del parameter["schema"]
