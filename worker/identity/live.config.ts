import { defineOptions, flag, section } from '../kit/options.ts'

export const liveOptions = defineOptions('live', () =>
  section({
    /** Whether open tabs learn at once about an ended session and other changes, through a WebSocket. */
    enabled: flag(true),
  }),
)
