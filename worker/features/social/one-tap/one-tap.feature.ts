import { answerSignIn } from '../../../http/answer-sign-in.ts'
import { defineFeature } from '../../../http/feature.ts'
import { routes } from '../../../http/routes.ts'
import { providersOpen } from '../../../identity/accounts/ways-in.ts'
import { oneTapOptions } from './one-tap.config.ts'
import { type OptionalPublicConfiguration, oneTapContract } from './one-tap.contract.ts'
import { oneTapProvider, signInByOneTap } from './one-tap.ts'

/** The path of Google's script (Google Identity Services, content security policy). */
const gsi = 'https://accounts.google.com/gsi/'

export const oneTap = defineFeature({
  name: 'one-tap',
  options: oneTapOptions,
  routes: routes(oneTapContract, {
    oneTapCallback: async ({ scope, body }) => answerSignIn(scope, await signInByOneTap(scope, body.idToken)) as never,
  }),
  publicConfiguration(scope): OptionalPublicConfiguration | Record<string, never> {
    const configured = oneTapProvider(scope)
    return configured ? { features: { oneTap: true }, oneTap: { clientId: configured.options.clientId } } : {}
  },
  contentSources: (scope) =>
    oneTapProvider(scope) ? { script: [`${gsi}client`], style: [`${gsi}style`], connect: [gsi], frame: [gsi] } : {},
  keepsWayIn: (scope, userId) => providersOpen(scope, userId, oneTapProvider(scope) ? ['google'] : []),
})
