import { brandOf } from './features/brand/brand.ts'
import { enabledFeatures, lifecycleOf } from './features.ts'
import type { Runtime } from './http/open-scope.ts'
import { mailOptions, textOptions } from './identity/settings.ts'
import { openApiDocument } from './openapi.ts'
import type { Env } from './platform/env.ts'
import { mailer } from './platform/mailer/mailer.ts'
import { texter } from './platform/texter/texter.ts'
import type { Configuration } from './read-config.ts'

/** Builds what all requests of an isolate share: the lifecycle table, the transports, the description of the API. */
export function buildRuntime({ settings, options }: Configuration, env: Env): Runtime {
  const described = enabledFeatures(options).map(({ name, routes }) => ({ name, contract: routes?.contract ?? {} }))
  return {
    settings,
    brand: brandOf(settings, options),
    options,
    lifecycle: lifecycleOf(options),
    sendMail: mailer(mailOptions.of({ options }), env),
    sendText: texter(textOptions.of({ options }), env),
    describeApi: () => openApiDocument(described, settings, options),
  }
}
