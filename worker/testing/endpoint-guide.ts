import { type Endpoint, isForAdministrators, isRecencyAsked, type PartyAccess } from '../http/endpoint.ts'
import { readContracts } from './contracts.ts'

const parties: Record<PartyAccess, string> = {
  client: 'OAuth client',
  webhook: 'sender of the webhook',
  'setup-link': 'holder of the set-up link',
  directory: 'directory',
}

const users = {
  visitor: 'visitor',
  session: 'user',
  'own-session': 'user, in an own session',
  'recent-authentication': 'user, after a recent sign-in',
}

/** Who may call an endpoint, in words. */
function callerOf(endpoint: Endpoint): string {
  const { access, accessRules } = endpoint
  const { recentFor } = accessRules ?? {}
  const isAlways = typeof recentFor === 'function' && recentFor.length === 0
  const recent = !isRecencyAsked(endpoint)
    ? ''
    : isAlways
      ? ', after a recent sign-in'
      : access === 'recent-authentication'
        ? ''
        : '; some calls need a recent sign-in'
  if (isForAdministrators(access)) {
    const permissions = Object.entries(access.admin).map(
      ([resource, actions]) => `\`${resource}: ${actions?.join(', ')}\``,
    )
    return `administrator with ${permissions.join(', ')}${recent}`
  }
  if (typeof access === 'object') return `server key with \`${access.server}\``
  return (access in parties ? parties[access as PartyAccess] : users[access as keyof typeof users]) + recent
}

const addressOf = ({ path, at }: Endpoint) => (at?.root ? path : `/api/auth${path}`)

const acronyms: Record<string, string> = { api: 'API', jwt: 'JWT', otp: 'codes' }

/** The heading of a feature: `api-key` is "API key". */
const headingOf = (feature: string) =>
  feature
    .split('-')
    .map((word) => acronyms[word] ?? word)
    .join(' ')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())

const cell = (text: string) => text.replaceAll('|', '\\|')

const introduction = `# Endpoints

Generated from the contracts of the features: every address below \`/api/auth\`, with its caller. A path with \`:\` has a parameter.

- Methods of the client have the names of the paths: \`POST /api/auth/passkey/delete-passkey\` is \`client.passkey.deletePasskey()\`.
- Inputs, answers, limits and errors of each endpoint are in the OpenAPI document of your deployment: \`GET /api/auth/open-api/generate-schema\`, and as a page
  at \`/api/reference\` (\`openAPI.enabled\`, on in development). Errors by code: [troubleshooting](troubleshooting.md).
- Operations of back ends (\`/api/server\`) are in [server keys](server-keys.md).

| caller | |
|---|---|
| visitor | any caller; with a proof of its own, such as a password or a code, where the endpoint needs one |
| user | a session: a cookie, a bearer token or an [API key](api-keys.md) with access |
| user, in an own session | a session that the user has opened: no API key, no impersonation |
| user, after a recent sign-in | the same, and the last authentication is not older than \`session.freshAge\`: [step-up](concept-step-up.md) |
| administrator with \`user: ban\` | a role of \`admin.roles\` with this permission: [administration](admin.md) |
`

/** guides/endpoints.md: the endpoints by feature. */
export async function endpointGuide(): Promise<string> {
  const contracts = await readContracts()
  const features = [...Map.groupBy(contracts, ({ feature }) => feature)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const sections = features.map(([feature, parts]) => {
    const all = parts
      .flatMap(({ contract }) => Object.values(contract))
      .map((endpoint) => ({ endpoint, address: addressOf(endpoint) }))
    // A contract can contain that of a part.
    const endpoints = [...new Map(all.map((one) => [`${one.endpoint.method} ${one.address}`, one])).values()].sort(
      (one, other) => (one.address < other.address ? -1 : one.address > other.address ? 1 : 0),
    )
    const rows = endpoints.map(
      ({ endpoint, address }) =>
        `| \`${endpoint.method} ${address}\` | ${cell(endpoint.summary)} | ${callerOf(endpoint)} |`,
    )
    return [`## ${headingOf(feature)}`, '', '| endpoint | effect | caller |', '|---|---|---|', ...rows, ''].join('\n')
  })
  return [introduction, ...sections].join('\n')
}
