import type { User } from '../model/users.table.ts'

/**
 * Whether the anonymous feature created a user who has since proven neither an address nor a number. Guests cost
 * nothing to create, so their rows have separate caps, and they send no mails.
 */
export const isGuest = ({ isAnonymous, emailVerified, phoneNumberVerified }: User): boolean =>
  isAnonymous && !emailVerified && !phoneNumberVerified
