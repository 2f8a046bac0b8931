import { catalogue } from '../../kit/errors.ts'

/** Of uploaded pictures: of users and of organizations. */
export const pictureErrors = catalogue({
  NOT_A_PICTURE: [400, 'The file is not a WebP image'],
  PICTURE_TOO_LARGE: [400, 'The image must be at most 256 pixels wide and high and at most 32 KiB'],
  NOT_FOUND: [404, 'Not Found'],
})
