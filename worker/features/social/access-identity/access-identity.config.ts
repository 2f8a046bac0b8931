import * as z from 'zod'
import type { DeploymentFacts } from '../../../identity/settings.ts'
import { defineOptions, flag, section } from '../../../kit/options.ts'
import { hostOfTeam } from './team.ts'

/** The id of the provider in `accounts`, and the method of the sessions. */
export const accessProvider = 'cloudflare-access'

/** Cloudflare Access in front of this deployment: its token is a way to sign in. Off without team and audience. */
export const accessIdentityOptions = defineOptions(
  'accessIdentity',
  () =>
    section({
      /** The name of the Zero Trust team: `acme` of acme.cloudflareaccess.com. null: off. */
      team: z
        .string()
        .regex(
          /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
          'must be the name of a team, such as acme of acme.cloudflareaccess.com',
        )
        .nullable()
        .default(null),
      /** The Application Audience (AUD) tag of the Access application in front of this deployment. */
      audience: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be an Application Audience (AUD) tag: 64 hexadecimal digits')
        .nullable()
        .default(null),
      /** Sign-ins create no users. */
      disableSignup: flag(false),
    }),
  {
    contradictions: ({ team, audience }, { options }: DeploymentFacts) => {
      const { genericOAuth = [], identityProvider } = options as OtherOptions
      const clients = identityProvider?.trustedClients ?? []
      return [
        [
          team !== null && audience === null,
          'accessIdentity.audience',
          'is missing; it is the AUD tag of the application',
        ],
        [
          audience !== null && team === null,
          'accessIdentity.team',
          'is missing; without it every team could sign tokens',
        ],
        [
          team !== null && genericOAuth.some(({ providerId }) => providerId === accessProvider),
          'genericOAuth',
          `must not have the providerId ${accessProvider} while accessIdentity is on: both would share their accounts`,
        ],
        // Access does not read `email_verified`: an unverified address here would return as a proven one.
        [
          team !== null && clients.some((client) => leadsTo(client, hostOfTeam(team))),
          'accessIdentity.team',
          'must not be a team that signs in with this deployment (identityProvider.trustedClients)',
        ],
      ]
    },
  },
)

type TrustedClient = string | { redirectURLs: readonly string[] }

interface OtherOptions {
  genericOAuth?: readonly { providerId: string }[]
  identityProvider?: { trustedClients?: readonly TrustedClient[] }
}

const leadsTo = (client: TrustedClient, host: string): boolean =>
  typeof client !== 'string' && client.redirectURLs.some((url) => URL.canParse(url) && new URL(url).host === host)
