// The alias of `@peculiar/x509` in wrangler.toml and in the package's bundle. @simplewebauthn/server verifies chains of
// certificates with it, in attestation statements, which attestation.ts does with the runtime. It is 4 % of the upload.

class NoCertificates {
  constructor() {
    throw new Error('attestation statements are not verified')
  }
}

export {
  NoCertificates as AuthorityKeyIdentifierExtension,
  NoCertificates as CRLDistributionPointsExtension,
  NoCertificates as SubjectKeyIdentifierExtension,
  NoCertificates as X509Certificate,
  NoCertificates as X509ChainBuilder,
  NoCertificates as X509Crl,
}
