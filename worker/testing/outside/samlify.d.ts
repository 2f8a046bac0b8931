// What the tests call of samlify. Its own declarations load those of a browser, which contradict those of Workers.

interface Settings {
  [name: string]: unknown
}

interface Entity {
  getMetadata(): string
}

interface Redirect {
  query: Record<string, string>
  octetString: string
}

interface Parsed {
  extract: Record<string, unknown>
}

interface Bound {
  /** The URL of a redirect, or the message in base64. */
  context: string
  /** For a form: the address that takes it. */
  entityEndpoint?: string
}

interface Provider extends Entity {
  parseLoginRequest(service: Entity, binding: 'redirect', request: Redirect): Promise<Parsed>
  parseLogoutRequest(service: Entity, binding: 'redirect', request: Redirect): Promise<Parsed>
  createLoginResponse(
    service: Entity,
    request: Parsed,
    binding: 'post',
    user: { email: string },
    template?: undefined,
    encryptThenSign?: boolean,
  ): Promise<Bound>
  createLogoutResponse(service: Entity, request: Parsed, binding: 'redirect', relayState: string | undefined): Bound
  createLogoutRequest(service: Entity, binding: 'redirect', user: Settings): Bound
}

export const Constants: {
  namespace: { format: { emailAddress: string }; binding: { redirect: string } }
  algorithms: {
    signature: { RSA_SHA256: string }
    encryption: { data: { AES_128_GCM: string } }
  }
}
export function IdentityProvider(settings: Settings): Provider
export function ServiceProvider(settings: Settings): Entity
export function setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void
