import * as z from 'zod'
import { knownOptions } from '../configuration/options.ts'

/** All settings, as paths. */
function namesOf(schema: z.ZodType, path: string): string[] {
  if (schema instanceof z.ZodPipe) return namesOf(schema.in as z.ZodType, path)
  if (schema instanceof z.ZodObject) {
    return [
      path,
      ...Object.entries(schema.shape).flatMap(([name, inner]) => namesOf(inner as z.ZodType, `${path}.${name}`)),
    ]
  }
  return 'unwrap' in schema ? namesOf((schema as z.ZodOptional<z.ZodType>).unwrap(), path) : [path]
}

/** `apiKey`, `apiKey.rateLimit`, `apiKey.rateLimit.enabled` and so on. */
export const settingNames: ReadonlySet<string> = new Set([
  'appName',
  'profile',
  'trustedOrigins',
  'jurisdiction',
  ...knownOptions.flatMap(({ name, schema }) => namesOf(schema, name)),
])
