import { defineTexts } from '../../lib/texts/texts.ts'

export const bulkTexts = defineTexts('adminBulk', {
  select: 'Select {name}',
  selectPage: 'Select all on this page',
  yourself: 'You cannot select yourself.',
  barLabel: 'Selected users',
  selected: '{count} selected',
  clear: 'Clear selection',
  ban: 'Ban',
  unban: 'Lift ban',
  roles: 'Set role',
  remove: 'Delete',
  titles: {
    ban: { one: 'Ban {count} user?', other: 'Ban {count} users?' },
    unban: { one: 'Lift the ban of {count} user?', other: 'Lift the ban of {count} users?' },
    roles: { one: 'Set the roles of {count} user', other: 'Set the roles of {count} users' },
    remove: { one: 'Delete {count} user?', other: 'Delete {count} users?' },
  },
  what: {
    ban: 'They are signed out everywhere immediately and cannot sign in. They see the reason and when the ban ends.',
    unban: 'They can sign in again.',
    roles: 'These roles replace the present ones.',
    remove:
      'This permanently deletes their accounts and everything in them, including organizations where they are the only member.',
  },
  confirmRemoval: 'delete {count}',
  result: 'Result',
  running: { ban: 'Banning', unban: 'Lifting bans', roles: 'Setting roles', remove: 'Deleting' },
  progress: '{done} of {all}',
  paused: 'The service is busy. Continuing in {seconds} s.',
  stop: 'Stop',
  stopping: 'Stopping …',
  finished: {
    ban: { one: '{count} user banned.', other: '{count} users banned.' },
    unban: { one: 'Ban of {count} user lifted.', other: 'Ban of {count} users lifted.' },
    roles: { one: 'Roles of {count} user set.', other: 'Roles of {count} users set.' },
    remove: { one: '{count} user deleted.', other: '{count} users deleted.' },
  },
  notDone: { one: 'Stopped: {count} user left unchanged.', other: 'Stopped: {count} users left unchanged.' },
  failed: { one: '{count} user failed:', other: '{count} users failed:' },
  stillSelected: 'These users are still selected.',
})
