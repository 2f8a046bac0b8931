import { type CsvColumns, csv } from '../../../http/csv-response.ts'
import { type FileFormat, ndjson } from '../../../http/file-response.ts'
import type { ReviewedCredential, ReviewedMember, ReviewLine } from './access-review.ts'

const member = <T>(line: ReviewLine, value: (member: ReviewedMember) => T) =>
  line.type === 'member' ? value(line) : null

const credential = <T>(line: ReviewLine, value: (credential: ReviewedCredential) => T) =>
  line.type === 'member' ? null : value(line)

const accessText = (access: Record<string, string[]>) =>
  Object.entries(access)
    .map(([what, acts]) => `${what}: ${acts.join(' ')}`)
    .join('; ')

/** A column that does not apply to a line is empty. */
const columns: CsvColumns<ReviewLine> = {
  type: ({ type }) => type,
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: (line) => member(line, ({ email }) => email),
  user_id: (line) => member(line, ({ userId }) => userId),
  roles: (line) => member(line, ({ roles }) => roles.join(' ')),
  teams: (line) => member(line, ({ teams }) => teams.join('; ')),
  access: (line) => credential(line, ({ access }) => accessText(access)),
  state: (line) => (line.type === 'member' ? (line.banned ? 'banned' : 'active') : line.state),
  since: ({ since }) => since,
  roles_changed: (line) => member(line, ({ rolesChangedAt }) => rolesChangedAt),
  granted_by: (line) => member(line, ({ grant }) => grant?.origin ?? null),
  granted_by_id: (line) => member(line, ({ grant }) => grant?.id ?? null),
  granted_by_name: (line) => member(line, ({ grant }) => grant?.name ?? null),
  expires: (line) => credential(line, ({ expiresAt }) => expiresAt),
  last_active: (line) => (line.type === 'member' ? line.lastActiveAt : line.lastUsedAt),
  second_factor: (line) => member(line, ({ secondFactor }) => secondFactor),
  break_glass: (line) => member(line, ({ breakGlass }) => breakGlass),
  key_start: (line) => credential(line, ({ start }) => start),
}

export const reviewFileOf = (format: 'csv' | 'ndjson'): FileFormat<ReviewLine> =>
  format === 'csv' ? csv('access-review', columns) : ndjson('access-review', (line) => line)
