<?php
/** A SAML identity provider of SimpleSAMLphp. Reads a JSON object from stdin and writes one to stdout; see peers.ts. */
require '/usr/share/simplesamlphp/lib/_autoload.php';

use SAML2\Assertion;
use SAML2\Constants;
use SAML2\EncryptedAssertion;
use SAML2\HTTPRedirect;
use SAML2\LogoutRequest;
use SAML2\Response;
use SAML2\XML\saml\Issuer;
use SAML2\XML\saml\NameID;
use SAML2\XML\saml\SubjectConfirmation;
use SAML2\XML\saml\SubjectConfirmationData;
use SimpleSAML\Configuration;
use SimpleSAML\Metadata\SAMLParser;
use SimpleSAML\Module\saml\Message;

$given = json_decode(stream_get_contents(STDIN), true);

function fileOf(string $text): string
{
    $path = tempnam(sys_get_temp_dir(), 'saml');
    file_put_contents($path, $text);
    return $path;
}

Configuration::setPreLoadedConfig(Configuration::loadFromArray([
    'certdir' => '/', 'logging.handler' => 'errorlog', 'logging.level' => 0, 'secretsalt' => 'test', 'baseurlpath' => 'https://idp.example.org/',
]));
$idp = Configuration::loadFromArray([
    'entityid' => $given['idpEntityId'],
    'privatekey' => fileOf($given['key']),
    'certificate' => fileOf($given['certificate']),
    'validate.authnrequest' => true,
    'validate.logout' => true,
    'sign.logout' => true,
]);
$sp = Configuration::loadFromArray(SAMLParser::parseString($given['spMetadata'])->getMetadata20SP());

/** The message of a redirect, if the certificate in our metadata verifies its query. */
function received(string $url)
{
    global $sp, $idp;
    $_SERVER['QUERY_STRING'] = explode('?', $url, 2)[1];
    parse_str($_SERVER['QUERY_STRING'], $_GET);
    $message = (new HTTPRedirect())->receive();
    if (!Message::checkSign($sp, $message)) {
        throw new Exception('the signature of the query is invalid');
    }
    return $message;
}

function nameId(): NameID
{
    $nameId = new NameID();
    $nameId->setValue('ada@example.com');
    $nameId->setFormat(Constants::NAMEID_EMAIL_ADDRESS);
    return $nameId;
}

$request = received($given['request']);
$issuer = new Issuer();
$issuer->setValue($given['idpEntityId']);

$data = new SubjectConfirmationData();
$data->setNotOnOrAfter(time() + 300);
$data->setRecipient($given['recipient']);
$data->setInResponseTo($request->getId());
$confirmation = new SubjectConfirmation();
$confirmation->setMethod(Constants::CM_BEARER);
$confirmation->setSubjectConfirmationData($data);

$assertion = new Assertion();
$assertion->setIssuer($issuer);
$assertion->setNameId(nameId());
$assertion->setNotBefore(time() - 30);
$assertion->setNotOnOrAfter(time() + 300);
$assertion->setValidAudiences([$given['spEntityId']]);
$assertion->setAuthnContextClassRef(Constants::AC_PASSWORD);
$assertion->setSessionIndex('s1');
$assertion->setSubjectConfirmation([$confirmation]);
Message::addSign($idp, $sp, $assertion);

$response = new Response();
$response->setIssuer($issuer);
$response->setDestination($given['recipient']);
$response->setInResponseTo($request->getId());
if ($given['encrypts']) {
    $key = new RobRichards\XMLSecLibs\XMLSecurityKey(RobRichards\XMLSecLibs\XMLSecurityKey::RSA_OAEP_MGF1P, ['type' => 'public']);
    foreach ($sp->getPublicKeys('encryption', true) as $found) {
        $key->loadKey("-----BEGIN CERTIFICATE-----\n" . chunk_split($found['X509Certificate'], 64) . "-----END CERTIFICATE-----\n");
        break;
    }
    $encrypted = new EncryptedAssertion();
    $encrypted->setAssertion($assertion, $key);
    $assertion = $encrypted;
}
$response->setAssertions([$assertion]);
Message::addSign($idp, $sp, $response);

$logout = received($given['logout']);
$outgoing = Message::buildLogoutRequest($idp, $sp);
$outgoing->setNameId(nameId());
$outgoing->setSessionIndex('s1');
$outgoing->setDestination($given['logoutUrl']);
Message::addSign($idp, $sp, $outgoing);

echo json_encode([
    'response' => base64_encode($response->toSignedXML()->ownerDocument->saveXML()),
    'logoutSubject' => $logout->getNameId()->getValue(),
    'logoutRequest' => base64_encode($outgoing->toSignedXML()->ownerDocument->saveXML()),
]);
