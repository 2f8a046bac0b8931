import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { pictureErrors as errors } from '../../../identity/pictures/pictures.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { minutes } from '../../../kit/time.ts'

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  /** POST /avatar accepts an image. */
  features: { avatar: true }
}

export const avatarContract = {
  uploadAvatar: post('/avatar', {
    summary: 'Uploads an image for the caller: WebP, at most 256 pixels wide and high, at most 32 KiB',
    access: 'session',
    input: { body: z.object({ webp: z.base64().max(64 * 1024) }) },
    answer: z.object({ image: z.string() }),
    errors: [errors.NOT_A_PICTURE, errors.PICTURE_TOO_LARGE, guessErrors.TOO_MANY_REQUESTS],
    limits: { rate: { max: 10, window: minutes(10) } },
    budget: { d1: 2, durable: 1 },
    changes: ['user'],
    audit: 'avatar',
  }),
  readAvatar: get('/avatar/:name', {
    summary: 'Returns an uploaded image by its unguessable name',
    access: 'visitor',
    input: { params: z.object({ name: z.string().max(64) }) },
    answer: 'page',
    errors: [errors.NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
}
