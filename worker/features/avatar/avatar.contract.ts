import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { minutes } from '../../kit/time.ts'
import { avatarErrors as errors } from './avatar.errors.ts'

export const avatarContract = {
  uploadAvatar: endpoint({
    method: 'POST',
    path: '/avatar',
    summary: "Takes a picture of the caller, which becomes the user's image: WebP, at most 256 pixels wide and 32 KiB",
    access: 'session',
    body: z.object({ webp: z.base64() }),
    answer: z.object({ image: z.string() }),
    errors: [errors.NOT_A_PICTURE, errors.PICTURE_TOO_LARGE, guessErrors.TOO_MANY_REQUESTS],
    limit: { max: 10, window: minutes(10) },
    budget: { d1: 2, durable: 1 },
    changes: ['user'],
  }),
  readAvatar: endpoint({
    method: 'GET',
    path: '/avatar/:name',
    summary: 'A picture, under the unguessable name that its user shows',
    access: 'visitor',
    params: z.object({ name: z.string().max(64) }),
    answer: 'page',
    errors: [errors.NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
}
