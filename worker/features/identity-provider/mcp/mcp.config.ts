import * as z from 'zod'
import type { Scope } from '../../../identity/scope.ts'
import { defineOptions, flag, section } from '../../../kit/options.ts'

const address = z.url()

export const mcpOptions = defineOptions('mcp', () =>
  section({
    /** Off by default: agents register clients without permission. Each user still consents. */
    enabled: flag(false),
    /** The address of the tool server that tokens are for; several as a list. null: this Worker. */
    resource: z
      .union([address, z.array(address).min(1)])
      .nullable()
      .default(null),
  }),
)

/** The resources that a token may be for. Our own document describes the first one. */
export function resourcesOf(scope: Scope): [string, ...string[]] {
  const { resource } = mcpOptions.of(scope)
  const list = resource === null ? [] : [resource].flat()
  return list.length > 0 ? (list as [string, ...string[]]) : [scope.settings.baseUrl]
}
