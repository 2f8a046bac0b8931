import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify'
import { newSamlKey } from './saml-idp.ts'

// samlify needs a validator. It parses XML without one.
setSchemaValidator({ validate: async () => 'valid' })

export interface SamlProvider {
  /** The address of its metadata. */
  metadataUrl: string
  /** What it has received, in order. */
  received: ('sign-in' | 'sign-out')[]
  /** Reads the metadata of the service, with its first certificate, as an administrator of the provider does. */
  trust(metadataUrl: string): Promise<void>
  close(): void
}

const { namespace, algorithms } = Constants
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;')

/**
 * A running SAML identity provider of samlify for browsers. It knows one user, and requires signed requests.
 * @param email of the user
 */
export async function startSamlProvider(email: string): Promise<SamlProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const key = newSamlKey()
  const provider = IdentityProvider({
    ...{ entityID: `${url}/metadata`, wantAuthnRequestsSigned: true, wantLogoutRequestSigned: true },
    ...{ privateKey: key.privateKey, signingCert: key.certificate },
    requestSignatureAlgorithm: algorithms.signature.RSA_SHA256,
    nameIDFormat: [namespace.format.emailAddress],
    singleSignOnService: [{ Binding: namespace.binding.redirect, Location: `${url}/sso` }],
    singleLogoutService: [{ Binding: namespace.binding.redirect, Location: `${url}/slo` }],
  })
  let service = ServiceProvider({})
  const received: SamlProvider['received'] = []

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, search, searchParams } = new URL(request.url!, url)
    if (pathname === '/metadata')
      return response.setHeader('content-type', 'application/samlmetadata+xml').end(provider.getMetadata())
    const query = Object.fromEntries(searchParams)
    const bound = { query, octetString: search.slice(1).split('&Signature=')[0]! }
    if (pathname === '/sso') {
      const asked = await provider.parseLoginRequest(service, 'redirect', bound)
      received.push('sign-in')
      const { context, entityEndpoint } = await provider.createLoginResponse(service, asked, 'post', { email })
      const hidden = Object.entries({ SAMLResponse: context, RelayState: query.RelayState ?? '' })
        .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
        .join('')
      const form = `<form method="post" action="${escaped(entityEndpoint!)}">${hidden}</form><script>document.forms[0].submit()</script>`
      return response.setHeader('content-type', 'text/html').end(form)
    }
    const asked = await provider.parseLogoutRequest(service, 'redirect', bound)
    received.push('sign-out')
    const { context } = provider.createLogoutResponse(service, asked, 'redirect', query.RelayState)
    return response.writeHead(302, { location: context }).end()
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((thrown: unknown) => response.writeHead(400).end(`refused: ${thrown}`))
  })
  return {
    metadataUrl: `${url}/metadata`,
    received,
    async trust(metadataUrl) {
      const metadata = await (await fetch(metadataUrl)).text()
      // samlify can read only one certificate.
      let keys = 0
      const ofOne = metadata.replace(/<(\w+:)?KeyDescriptor.*?<\/\1KeyDescriptor>/gs, (key) =>
        keys++ === 0 ? key : '',
      )
      service = ServiceProvider({ metadata: ofOne })
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
