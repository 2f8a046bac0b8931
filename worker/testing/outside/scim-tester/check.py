"""Runs all checks of scim2-tester against a directory. Arguments: its address and a token. See check.ts."""
import sys

from httpx import Client
from scim2_client.engines.httpx import SyncSCIMClient
from scim2_models import ServiceProviderConfig
from scim2_tester import check_server
from scim2_tester import checkers
from scim2_tester.utils import CheckConfig
from scim2_tester.utils import CheckContext

# scim2-models does not know the attribute `pagination` of RFC 9865 yet, and refuses attributes that it does not know.
ServiceProviderConfig.model_config["extra"] = "ignore"
ServiceProviderConfig.model_rebuild(force=True)

# These are exported, but `check_server` does not run them.
further = [
    checkers.service_provider_config_endpoint_methods,
    checkers.resource_types_endpoint_methods,
    checkers.schemas_endpoint_methods,
    checkers.core_schemas_validation,
]

address, token = sys.argv[1:]
client = SyncSCIMClient(Client(base_url=address, headers={"Authorization": f"Bearer {token}"}))
client.discover()
results = check_server(client)
for check in further:
    results += check(CheckContext(client, CheckConfig()))
for result in results:
    print(result.status.name, result.title, result.resource_type or "", (result.reason or "").replace("\n", " "))
