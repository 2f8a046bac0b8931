import { httpErrors } from '../http/http.errors.ts'
import { idempotencyErrors, serverErrors } from '../http/server.errors.ts'
import { codeOf, type ErrorKind } from '../kit/errors.ts'
import { readContracts } from './contracts.ts'
import { readOperations } from './operation-table.ts'

interface ErrorRow {
  code: string
  statuses: number[]
  /** The distinct meanings: messages without case and punctuation. */
  meanings: string[]
}

/** The errors that contracts and the steps before a handler declare, by code. */
export async function errorTable(): Promise<ErrorRow[]> {
  const contracts = await readContracts()
  const declared = contracts.flatMap(({ contract }) => Object.values(contract).flatMap(({ errors }) => errors))
  const ofOperations = (await readOperations()).flatMap(({ operation }) => operation.errors)
  const kinds: ErrorKind[] = [
    ...[httpErrors, serverErrors, idempotencyErrors].flatMap((errors) => Object.values(errors)),
    ...declared,
    ...ofOperations,
  ]
  return [...Map.groupBy(kinds, ({ code }) => code)]
    .map(([code, same]) => ({
      code,
      statuses: [...new Set(same.map(({ status }) => status))].sort(),
      meanings: [...new Set(same.map(({ message }) => codeOf(message.replaceAll('_', ' '))))],
    }))
    .sort((one, other) => (one.code < other.code ? -1 : 1))
}
