import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { seconds } from '../../../kit/time.ts'
import { callbackQuery } from '../model/authorization-input.ts'

const callback = {
  access: 'visitor',
  input: { params: z.object({ id: z.string().min(1).max(64) }), query: callbackQuery },
  answer: 'redirect',
  errors: [],
  limits: { rate: { max: 60, window: seconds(60) } },
  budget: { d1: 10, kv: 2, durable: 4, outside: 6, read: 150, written: 80 },
} as const

export const callbackContract = {
  callback: get('/callback/:id', {
    ...callback,
    limits: { ...callback.limits, whenFull: 'signs-in' },
    summary: 'Handles the redirect of a provider and completes the sign-in, link or step-up',
    changes: ['user', 'session', 'account'],
    audit: 'callback',
  }),
  postedCallback: post('/callback/:id', {
    ...callback,
    limits: { ...callback.limits, whenFull: 'signs-in' },
    summary: 'Handles the form post of a provider and continues as the redirect does',
    input: { ...callback.input, body: callbackQuery },
    origins: { forms: true, foreignPosts: true },
    changes: ['user', 'session', 'account'],
    audit: 'callback',
  }),
}
