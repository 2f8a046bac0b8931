import { answerSignIn, type SignedInAnswer, welcomeTarget } from '../../../http/answer-sign-in.ts'
import { defineEndpoints } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { addressContract } from './address.contract.ts'
import { finishWaiting, sendAddressCode } from './prove-address.ts'
import { readWaiting } from './waiting.ts'

export const socialAddressEndpoints = defineEndpoints({
  routes: routes(addressContract, {
    waitingSignIn: async ({ scope }) => {
      const waiting = await readWaiting(scope)
      if (!waiting) return null
      const { providerId: id, providerName, person } = waiting.identity
      return { provider: { id, name: providerName }, name: person.name, expiresAt: waiting.expiresAt }
    },
    sendAddressCode: async ({ scope, body }) => {
      await sendAddressCode(scope, body.email)
      return { status: true }
    },
    verifyAddress: async ({ scope, body }) => {
      const { result, target } = await finishWaiting(scope, body.email, body.code)
      const answer = answerSignIn(scope, result) as SignedInAnswer
      return result.kind === 'signed-in'
        ? { ...answer, redirect: true, url: welcomeTarget(scope, result.user, target) }
        : (answer as unknown as { twoFactorRedirect: boolean })
    },
  }),
})
