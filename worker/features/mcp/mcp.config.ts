import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import { defineOptions } from '../../kit/options.ts'

const address = z.url()

export const mcpOptions = defineOptions(
  'mcp',
  {
    /** Off until wanted: agents register themselves, by nobody's leave but with everybody's consent. */
    enabled: false,
    /** The tool server that tokens are for, as its clients address it; several as a list. null: this Worker. */
    resource: null as string | string[] | null,
  },
  undefined,
  { resource: z.union([address, z.array(address).min(1)]).nullable() },
)

/** The resources that a token may be for; the first one is described by our own document. */
export function resourcesOf(scope: Scope): [string, ...string[]] {
  const { resource } = mcpOptions.of(scope)
  const list = resource === null ? [] : [resource].flat()
  return list.length > 0 ? (list as [string, ...string[]]) : [scope.settings.baseUrl]
}
