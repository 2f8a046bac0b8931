import * as z from 'zod'
import { defineOptions, flag, section } from '../../kit/options.ts'
import { securityNotices } from '../model/security-event-types.ts'

export const securityNoticeOptions = defineOptions('securityNotices', () =>
  section({
    /** Whether users get a mail about changes of their access. */
    enabled: flag(true),
    /** Events without a notice. */
    except: z.array(z.enum(securityNotices)).default([]),
  }),
)
