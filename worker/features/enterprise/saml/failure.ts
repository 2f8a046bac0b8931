/** Why a response is refused: the codes of the error redirects and of the results of tests. */
export type SamlFailure =
  | 'saml_invalid_document'
  | 'saml_signature'
  | 'saml_algorithm'
  | 'saml_encrypted'
  | 'saml_status'
  | 'saml_issuer'
  | 'saml_audience'
  | 'saml_recipient'
  | 'saml_expired'
  | 'saml_no_subject'

export class SamlError extends Error {
  readonly code: SamlFailure

  constructor(code: SamlFailure, detail: string) {
    super(detail)
    this.code = code
  }
}
