import type { CsvColumns } from '../../../http/csv-response.ts'
import type { NamedRecord } from '../../../identity/audit/audit-log.store.ts'
import type { NamedEvent } from '../../../identity/security/security-events.store.ts'
import type { ListedUser } from '../list-users/list-users.ts'

/** The columns of the files. Later versions add columns at the end. */

export const userColumns: CsvColumns<ListedUser> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  // A generated address has no reader.
  email: ({ email, emailIsPlaceholder }) => (emailIsPlaceholder ? null : email),
  email_verified: ({ emailVerified }) => emailVerified,
  username: ({ displayUsername, username }) => displayUsername ?? username,
  phone_number: ({ phoneNumber }) => phoneNumber,
  phone_number_verified: ({ phoneNumberVerified }) => phoneNumberVerified,
  roles: ({ role }) => role,
  guest: ({ isAnonymous }) => isAnonymous,
  two_factor: ({ twoFactorEnabled }) => twoFactorEnabled,
  banned: ({ banned }) => banned,
  ban_reason: ({ banReason }) => banReason,
  ban_expires: ({ banExpires }) => banExpires,
  created_at: ({ createdAt }) => createdAt,
  last_sign_in_at: ({ lastSignInAt }) => lastSignInAt,
}

export const auditColumns: CsvColumns<NamedRecord> = {
  time: ({ createdAt }) => createdAt,
  action: ({ action }) => action,
  actor_id: ({ actorId }) => actorId,
  actor_name: ({ actorName }) => actorName,
  actor_type: ({ actorType }) => actorType,
  actor_via: ({ actorVia }) => actorVia,
  on_behalf_of: ({ onBehalfOf }) => onBehalfOf,
  subject_type: ({ subjectType }) => subjectType,
  subject_id: ({ subjectId }) => subjectId,
  subject_name: ({ subjectName }) => subjectName,
  organization_id: ({ organizationId }) => organizationId,
  before: ({ before }) => JSON.stringify(before),
  after: ({ after }) => JSON.stringify(after),
  ip_address: ({ ipAddress }) => ipAddress,
  user_agent: ({ userAgent }) => userAgent,
  id: ({ id }) => id,
  request_id: ({ requestId }) => requestId,
  seq: ({ seq }) => seq,
}

export const eventColumns: CsvColumns<NamedEvent> = {
  time: ({ createdAt }) => createdAt,
  type: ({ type }) => type,
  outcome: ({ outcome }) => outcome,
  user_id: ({ userId }) => userId,
  user_name: ({ userName }) => userName,
  user_email: ({ userEmail }) => userEmail,
  method: ({ method }) => method,
  actor_id: ({ actorId }) => actorId,
  details: ({ details }) => JSON.stringify(details),
  ip_address: ({ ipAddress }) => ipAddress,
  user_agent: ({ userAgent }) => userAgent,
  city: ({ city }) => city,
  country: ({ country }) => country,
  request_id: ({ requestId }) => requestId,
  id: ({ id }) => id,
}
