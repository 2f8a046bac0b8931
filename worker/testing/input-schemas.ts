import type * as z from 'zod'
import { knownOptions } from '../configuration/options.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { endpointOfOperation } from '../http/operations.ts'
import { readContracts } from './contracts.ts'
import { readOperations } from './operation-table.ts'

/** The endpoints of all contracts and operations. For tests that run in Node. */
export const readEndpoints = async (): Promise<Endpoint[]> => [
  ...(await readContracts()).flatMap(({ contract }) => Object.values(contract) as Endpoint[]),
  ...(await readOperations()).map(({ name, operation }) => endpointOfOperation(name, operation)),
]

export interface InputSchema {
  where: string
  /** `raw` documents a text that the handler reads itself. */
  part: 'params' | 'query' | 'body' | 'raw' | 'options'
  schema: z.ZodType
}

const rawSchema = ({ input: { raw } = {} }: Endpoint) =>
  typeof raw !== 'object' ? undefined : 'form' in raw ? raw.form : (raw as { json: z.ZodType }).json

/** The schemas of what requests and the configuration give. */
export async function inputsOf(): Promise<InputSchema[]> {
  const ofEndpoints = (await readEndpoints()).flatMap((endpoint) => {
    const { method, path, input: { params, query, body } = {} } = endpoint
    const parts = { params, query, body, raw: rawSchema(endpoint) } as const
    return (Object.keys(parts) as (keyof typeof parts)[]).flatMap((part) => {
      const schema = parts[part]
      return schema ? [{ where: `${method} ${path} ${part}`, part, schema }] : []
    })
  })
  const ofOptions = knownOptions.map(({ name, schema }) => ({
    where: `options ${name}`,
    part: 'options' as const,
    schema: schema as z.ZodType,
  }))
  return [...ofEndpoints, ...ofOptions]
}
