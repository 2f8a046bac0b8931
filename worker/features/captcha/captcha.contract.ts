import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const captchaContract = {
  captchaWidget: endpoint({
    method: 'GET',
    path: '/captcha/widget',
    summary: "The provider's widget in a page of its own, for a frame of the hosted screens",
    access: 'visitor',
    query: z.object({ theme: z.enum(['light', 'dark']).default('light') }),
    answer: 'page',
    errors: [],
    budget: {},
    changes: [],
  }),
}
