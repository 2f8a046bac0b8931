import type { OAuthError } from '../../../kit/errors.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import type { Client } from '../../identity-provider/model/clients/client.ts'
import { detailsFault } from '../../identity-provider/model/protocol/authorization-details.ts'
import { type Parameters, words } from '../../identity-provider/model/protocol/parameters.ts'
import { normalResource } from '../../identity-provider/model/protocol/urls.ts'
import type { RequestRules } from '../../identity-provider/model/requests/authorization-request.ts'

/** A backchannel authentication request with a proven client. */
export interface AskedApproval {
  given: Parameters
  client: Client
  rules: RequestRules
}

/** One named check; null accepts the request. */
type Check = (asked: AskedApproval) => OAuthError | null

const maxMessage = 120

/** OpenID Connect CIBA, section 7.1: one hint. */
const oneHint: Check = ({ given }) => {
  if (given.login_hint_token !== undefined) return oauthError('invalid_request', 'login_hint_token is not supported')
  const hints = [given.login_hint, given.id_token_hint].filter((hint) => hint !== undefined)
  return hints.length === 1 && hints[0]!.length <= 4000
    ? null
    : oauthError('invalid_request', 'the request must have one of login_hint and id_token_hint')
}

/** Section 7.1: `openid` is one of the scopes. An agent has no other scope of the user, but those of its resources. */
const scopes: Check = ({ given, client, rules }) => {
  const asked = words(given.scope)
  if (!asked.includes('openid')) return oauthError('invalid_scope', 'scope must contain openid')
  const registered = client.registration.scope === undefined ? rules.scopes : words(client.registration.scope)
  const allowed = client.agent ? ['openid', ...Object.values(client.agent.access).flat()] : registered
  const invalid = asked.filter((scope) => !allowed.includes(scope) || !rules.scopes.includes(scope))
  return invalid.length === 0
    ? null
    : oauthError('invalid_scope', `The following scopes are invalid: ${invalid.join(', ')}`)
}

/** RFC 8707, section 2. */
const resources: Check = ({ given, client, rules }) => {
  const named = words(given.resource).map(normalResource)
  const { agent } = client
  const isKnown = (one: string) => rules.resources.includes(one) && (!agent || Object.hasOwn(agent.access, one))
  if (!named.every(isKnown) || (agent && named.length === 0)) {
    return oauthError('invalid_target', 'the resource is missing, unknown, or not one of the client')
  }
  const foreign = words(given.scope).filter((scope) => {
    const owner = rules.scopeOwners.get(scope)
    return owner !== undefined && (!named.includes(owner) || (agent && !agent.access[owner]!.includes(scope)))
  })
  return foreign.length === 0
    ? null
    : oauthError('invalid_scope', `The request does not name the resource of: ${foreign.join(', ')}`)
}

/** RFC 9396, section 5. */
const details: Check = ({ given, client, rules }) => {
  const fault = detailsFault(rules.detailTypes, given.authorization_details, {
    registered: client.registration.authorization_details_types,
    scopes: words(given.scope),
    resources: words(given.resource).map(normalResource),
  })
  return fault === null ? null : oauthError('invalid_authorization_details', fault)
}

/** Section 7.1: short plain words, which the user compares. */
const bindingMessage: Check = ({ given: { binding_message: message } }) =>
  message === undefined || (message.length <= maxMessage && nameInput.safeParse(message).success)
    ? null
    : oauthError('invalid_binding_message', `binding_message must be plain text of at most ${maxMessage} characters`)

const expiry: Check = ({ given: { requested_expiry: seconds } }) =>
  seconds === undefined || /^[1-9]\d{0,6}$/.test(seconds)
    ? null
    : oauthError('invalid_request', 'requested_expiry must be a number of seconds')

/** Section 7.1, and RFC 6750, section 2.1: the form of a bearer token. */
const notification: Check = ({ given: { client_notification_token: token }, client }) => {
  if (client.registration.backchannel_token_delivery_mode !== 'ping') return null
  return token !== undefined && /^[A-Za-z0-9\-._~+/]{1,1024}=*$/.test(token)
    ? null
    : oauthError('invalid_request', 'client_notification_token must be a bearer token')
}

const lengths: Check = ({ given }) =>
  (given.acr_values ?? '').length > 500 ? oauthError('invalid_request', 'acr_values is too long') : null

/** Every check of a backchannel authentication request, in order. */
export const approvalChecks = {
  oneHint,
  scopes,
  resources,
  details,
  bindingMessage,
  expiry,
  notification,
  lengths,
} satisfies Record<string, Check>
