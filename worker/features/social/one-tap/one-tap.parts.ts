import { defineParts } from '../../../http/feature.ts'
import type { OptionalPublicConfiguration } from './one-tap.contract.ts'
import { oneTapProvider } from './one-tap.ts'

/** The path of Google's script (Google Identity Services, content security policy). */
const gsi = 'https://accounts.google.com/gsi/'

export const oneTapParts = defineParts({
  publicConfiguration(scope): OptionalPublicConfiguration | Record<string, never> {
    const configured = oneTapProvider(scope)
    return configured ? { features: { oneTap: true }, oneTap: { clientId: configured.options.clientId } } : {}
  },
  contentSources: (scope) =>
    oneTapProvider(scope) ? { script: [`${gsi}client`], style: [`${gsi}style`], connect: [gsi], frame: [gsi] } : {},
})
