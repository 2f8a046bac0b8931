/** Before the id of a connection of an organization, in `providerId` of its accounts and in `method` of its sessions. */
export const connectionPrefix = 'sso-'
