import { catalogue } from '../../kit/errors.ts'

export const avatarErrors = catalogue({
  NOT_A_PICTURE: [400, 'This is no WebP picture'],
  PICTURE_TOO_LARGE: [400, 'The picture must be at most 256 pixels wide and high, and 32 KiB large'],
  NOT_FOUND: [404, 'Not Found'],
})
