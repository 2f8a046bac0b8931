"""A SAML identity provider of lasso. Reads a JSON object from stdin and writes one to stdout; see peers.ts."""
import json
import sys
import tempfile

import lasso

given = json.load(sys.stdin)


def file_of(text):
    handle = tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False)
    handle.write(text)
    handle.close()
    return handle.name


server = lasso.Server(file_of(given["idpMetadata"]), file_of(given["key"]), None, file_of(given["certificate"]))
server.signatureMethod = lasso.SIGNATURE_METHOD_RSA_SHA256
server.addProvider(lasso.PROVIDER_ROLE_SP, file_of(given["spMetadata"]), None, None)
provider = server.getProvider(given["spEntityId"])
if given["encrypts"]:
    provider.setEncryptionMode(lasso.ENCRYPTION_MODE_ASSERTION)
    provider.setEncryptionSymKeyType(lasso.ENCRYPTION_SYM_KEY_TYPE_AES_256)

login = lasso.Login(server)
login.processAuthnRequestMsg(given["request"].split("?", 1)[1])
login.validateRequestMsg(True, True)
login.buildAssertion(lasso.SAML2_AUTHN_CONTEXT_PASSWORD, given["now"], None, given["now"], given["later"])
login.assertion.subject.nameID.content = "ada@example.com"
login.assertion.subject.nameID.format = lasso.SAML2_NAME_IDENTIFIER_FORMAT_EMAIL
login.assertion.authnStatement[0].sessionIndex = "s1"
login.buildAuthnResponseMsg()

logout = lasso.Logout(server)
logout.processRequestMsg(given["logout"].split("?", 1)[1])
json.dump({"response": login.msgBody, "logoutSubject": logout.nameIdentifier.content}, sys.stdout)
