"""A SAML identity provider of pysaml2. Reads a JSON object from stdin and writes one to stdout; see peers.ts."""
import base64
import json
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_EMAILADDRESS, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

given = json.load(sys.stdin)


def file_of(text):
    handle = tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False)
    handle.write(text)
    handle.close()
    return handle.name


config = IdPConfig().load(
    {
        "entityid": given["idpEntityId"],
        "key_file": file_of(given["key"]),
        "cert_file": file_of(given["certificate"]),
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "metadata": {"local": [file_of(given["spMetadata"])]},
        "service": {
            "idp": {
                    "endpoints": {
                    "single_sign_on_service": [("https://idp.example.org/sso", BINDING_HTTP_REDIRECT)],
                    "single_logout_service": [("https://idp.example.org/slo", BINDING_HTTP_REDIRECT)],
                },
            }
        },
    }
)
server = Server(config=config)


def verified(url):
    """The message of a redirect, if the certificate in our metadata verifies its query."""
    message = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    certificate = server.metadata.certs(given["spEntityId"], "any", "signing")[0]
    certificate = certificate[1] if isinstance(certificate, tuple) else certificate
    if not verify_redirect_signature(message, server.sec.sec_backend, certificate):
        raise ValueError("the signature of the query is invalid")
    return message["SAMLRequest"]


request = server.parse_authn_request(verified(given["request"]), BINDING_HTTP_REDIRECT)
name_id = NameID(format=NAMEID_FORMAT_EMAILADDRESS, text="ada@example.com")
response = server.create_authn_response(
    identity={},
    in_response_to=request.message.id,
    destination=given["recipient"],
    sp_entity_id=given["spEntityId"],
    name_id=name_id,
    authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"},
    sign_assertion=True,
    sign_response=True,
    sign_alg=SIG_RSA_SHA256,
    digest_alg=DIGEST_SHA256,
    encrypt_assertion=given["encrypts"],
    session_not_on_or_after=None,
)
logout = server.parse_logout_request(verified(given["logout"]), BINDING_HTTP_REDIRECT)
_, outgoing = server.create_logout_request(
    given["logoutUrl"], given["spEntityId"], name_id=name_id, session_indexes=["s1"], sign=True,
    sign_alg=SIG_RSA_SHA256, digest_alg=DIGEST_SHA256,
)
json.dump(
    {
        "response": base64.b64encode(str(response).encode()).decode(),
        "logoutSubject": logout.message.name_id.text,
        "logoutRequest": base64.b64encode(str(outgoing).encode()).decode(),
    },
    sys.stdout,
)
