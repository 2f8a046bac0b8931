import { defineTexts } from '../../lib/texts/texts.ts'

export const memberListTexts = defineTexts('organizationMemberList', {
  all: 'All',
  filter: 'Filter by role',
  roleOf: 'Role of {name}',
  several: 'Several roles …',
  undo: 'Undo',
  undone: '{name} has the previous role again.',
  select: 'Select',
  selectOne: 'Select {name}',
  selectAll: 'Select all {count}',
  selected: '{count} selected',
  removeMany: {
    one: 'Remove {count} person',
    other: 'Remove {count} people',
  },
  removeManyQuestion: {
    one: 'Remove {count} person?',
    other: 'Remove {count} people?',
  },
  removeManyWhat:
    'They lose access to {organization} immediately and get an email about it. You can invite them again.',
  andMore: 'and {count} more',
  removing: 'Removing {at} of {total} …',
  removedMany: {
    one: '{count} person has been removed.',
    other: '{count} people have been removed.',
  },
  notRemoved: {
    one: '{count} person could not be removed.',
    other: '{count} people could not be removed.',
  },
  addresses: 'Email addresses',
  addressesHint: 'Several at once: separate them with commas or blanks, or paste a list.',
  addressRequired: 'Enter at least one email address.',
  addressList: 'Addresses to invite',
  removeAddress: 'Remove {address}',
  invalid: 'Not a valid address',
  invalidAddresses: {
    one: 'One address is not valid. Remove it, or type it again.',
    other: '{count} addresses are not valid. Remove them, or type them again.',
  },
  tooManyAddresses: 'Send at most {max} invitations at once.',
  sendOne: 'Send invitation',
  sendMany: {
    one: 'Send {count} invitation',
    other: 'Send {count} invitations',
  },
  sending: 'Sending invitation {at} of {total} …',
  sent: 'Sent',
  invitedMany: {
    one: 'We sent {count} invitation.',
    other: 'We sent {count} invitations.',
  },
  oneRole: 'One role only',
  savingTeams: 'Saving team {at} of {total} …',
})
