import { catalogue, errorKind } from '../../kit/errors.ts'

/** Errors of the management of keys. */
export const apiKeyErrors = catalogue({
  UNAUTHORIZED_OR_INVALID_SESSION: [401, 'Unauthorized or invalid session'],
  USER_IS_BANNED: [401, 'User is banned'],
  API_KEY_NOT_FOUND: [404, 'API Key not found'],
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION: [
    403,
    'You are not allowed to manage the API keys of this organization',
  ],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS: [403, 'You have reached the maximum number of API keys'],
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: [400, 'metadata must be an object or undefined'],
  METADATA_IS_DISABLED: [400, 'Metadata is disabled.'],
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: [
    400,
    'refillAmount is required when refillInterval is provided',
  ],
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: [
    400,
    'refillInterval is required when refillAmount is provided',
  ],
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: [
    400,
    'The expiresIn is smaller than the predefined minimum value.',
  ],
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: [
    400,
    'The expiresIn is larger than the predefined maximum value.',
  ],
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: [400, 'Custom key expiration values are disabled.'],
  THE_REMAINING_COUNT_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [400, 'The remaining count is either too large or too small.'],
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [400, 'The prefix length is either too large or too small.'],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [400, 'The name length is either too large or too small.'],
  NO_VALUES_TO_UPDATE: [400, 'No values to update.'],
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY: [
    400,
    "The property you're trying to set can only be set from the server auth instance only.",
  ],
})

/** The errors of a rejected key. */
export const keyRefusals = {
  ...catalogue({
    INVALID_API_KEY: [401, 'Invalid API key.'],
    /** The key does not have the requested permissions. */
    KEY_NOT_FOUND: [401, 'API Key not found'],
    KEY_DISABLED: [401, 'API Key is disabled'],
    KEY_EXPIRED: [401, 'API Key has expired'],
    USER_IS_BANNED: [401, 'User is banned'],
    USAGE_EXCEEDED: [429, 'API Key has reached its usage limit'],
    /** A rule of an organization does not allow the sign-in from which the key comes. */
    KEY_FORBIDDEN_BY_ORGANIZATION: [401, 'API Key is not allowed by the rules of an organization'],
    /** Carries `details.tryAgainIn` in milliseconds. */
    RATE_LIMITED: [401, 'Rate limit exceeded.'],
    FAILED_TO_UPDATE_API_KEY: [500, 'Failed to update API key'],
    /** The key of an organization opens no session. */
    THE_USER_ID_FROM_THE_API_KEY_IS_INVALID: [401, 'The user id from the API key is invalid.'],
  }),
  /** Shorter than any key; the code is that of an unknown key. */
  TOO_SHORT: errorKind(403, 'INVALID_API_KEY', 'Invalid API key.'),
}
