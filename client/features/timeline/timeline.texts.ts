import { defineTexts } from '../../lib/texts/texts.ts'

export const timelineTexts = defineTexts('timeline', {
  what: 'Event',
  about: 'About',
  by: 'By',
  where: 'Device and place',
  when: 'When',
  older: 'Older records',
  signIns: { one: '{count} sign-in from {device}', other: '{count} sign-ins from {device}' },
  times: { one: '{words}, {count} time', other: '{words}, {count} times' },
  here: 'This session',
  showEach: 'Show each: {words}',
  live: 'Live',
  liveWhat: 'Show new records at once',
  fresh: 'New records have arrived.',
  showFresh: 'Show them',
})
