import * as z from 'zod'
import { knownOptions } from '../options.ts'

/** Every setting there is, as a path. */
function namesOf(schema: z.ZodType, path: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) {
    return namesOf(schema.unwrap() as z.ZodType, path)
  }
  if (!(schema instanceof z.ZodObject)) return [path]
  return [path, ...Object.entries(schema.shape).flatMap(([name, inner]) => namesOf(inner, `${path}.${name}`))]
}

/** `apiKey`, `apiKey.rateLimit`, `apiKey.rateLimit.enabled` ... */
export const settingNames: ReadonlySet<string> = new Set([
  'appName',
  'profile',
  'trustedOrigins',
  ...knownOptions.flatMap(({ name, schema }) => namesOf(schema(), name)),
])
