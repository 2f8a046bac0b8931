import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { listOf } from '../../../kit/page.ts'
import { bearerErrors } from '../identity-provider.errors.ts'

/** Claims by scope, without unknown ones. */
export const claimsAnswer = z.object({
  sub: z.string(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  picture: z.string().optional(),
  preferred_username: z.string().optional(),
  updated_at: z.number().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  roles: listOf(z.string()).optional(),
  permissions: listOf(z.string()).optional(),
  organizations: z
    .array(
      z.object({
        id: z.string(),
        slug: z.string(),
        name: z.string(),
        roles: listOf(z.string()),
        teams: listOf(z.string()).optional(),
      }),
    )
    .max(200)
    .optional(),
  groups: listOf(z.string()).optional(),
})

const userinfo = {
  summary: 'Returns claims about the user of an access token (OpenID Connect Core, section 5.3)',
  access: 'visitor',
  origins: { any: true },
  answer: claimsAnswer,
  errors: bearerErrors,
  budget: { d1: 1, durable: 1 },
  changes: [],
} as const

export const userinfoContract = {
  userinfo: get('/oauth2/userinfo', userinfo),
  userinfoByPost: post('/oauth2/userinfo', {
    ...userinfo,
    origins: { ...userinfo.origins, foreignPosts: true },
    input: { raw: { form: z.object({ access_token: z.string().optional() }) } },
  }),
}
