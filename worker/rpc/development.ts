import { type Context, Hono } from 'hono'
import { previewedOptions } from '../features/public-config/brand/preview.ts'
import { secure } from '../http/json-response.ts'
import type { Runtime } from '../http/open-scope.ts'
import { mountDevelopmentPages } from '../http/pages/development.ts'
import { mountTesting } from '../http/testing.ts'
import type { Env } from '../platform/env.ts'
import { testingOperations } from './testing.ts'

interface HonoTypes {
  Bindings: Env
}

/** The paths below /dev, in development. @param other answers all others */
export function developmentApp(
  runtime: Runtime,
  env: Env,
  other: (c: Context<HonoTypes>) => Promise<Response>,
): Hono<HonoTypes> {
  const hono = new Hono<HonoTypes>()
  const { brand, options, settings } = runtime
  mountDevelopmentPages(hono, env, {
    texts: brand.texts,
    baseUrl: settings.baseUrl,
    images: brand.logo === null ? [] : [brand.logo.light, brand.logo.dark],
    languages: brand.languages,
    mails: async (language) => (await import('./every-mail.ts')).everyMail(language, { ...brand }, undefined, options),
  })
  hono.get('/dev/brand.json', () => secure(Response.json(previewedOptions(runtime)), false))
  if (env.TESTING === 'on') mountTesting(hono, runtime, testingOperations)
  hono.notFound(other)
  return hono
}
