import { defineTexts } from '../../lib/texts/texts.ts'

/** Words for what a ceremony or the server refuses, by code. */
const errors = defineTexts(
  {
    AUTH_CANCELLED: 'No passkey was used. Try again, or sign in another way.',
    CEREMONY_TIMED_OUT: 'That took too long, and your browser stopped waiting. Try again.',
    CEREMONY_DISPLACED: 'This was stopped because you started something else. Try again.',
    WEBAUTHN_NOT_SUPPORTED: 'This browser does not support passkeys.',
    ERROR_CEREMONY_ABORTED: 'This was canceled.',
    ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY:
      'No passkey was created: this was canceled, or the device cannot check that it is you.',
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
      'This device or password manager already has a passkey for your account.',
    PREVIOUSLY_REGISTERED: 'This passkey is already registered.',
    PASSKEY_SIGN_UP_IS_NOT_ENABLED: 'New accounts need a password here.',
    ERROR_INVALID_DOMAIN: 'Passkeys do not work at this address. Open the site by its name.',
    ERROR_INVALID_RP_ID: 'Passkeys of this site do not work at this address.',
    ERROR_AUTHENTICATOR_GENERAL_ERROR: 'The device that stores the passkey had a problem. Try again.',
    ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
      'This device cannot check that it is you. Set up a PIN, a fingerprint or face recognition on it.',
    ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device cannot store passkeys.',
    ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'This device cannot create passkeys that this site accepts.',
    CHALLENGE_NOT_FOUND: 'That took too long. Try again.',
    AUTHENTICATION_FAILED: 'This passkey was not accepted. Try again, or sign in another way.',
    FAILED_TO_VERIFY_REGISTRATION: 'This passkey was not accepted. Your device may not have checked that it is you.',
    PASSKEY_NOT_FOUND: 'This passkey is no longer registered here. Sign in another way.',
    YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Someone else has signed in since. Reload the page.',
    TOO_MANY_PASSKEYS: 'Your account has as many passkeys as it can hold. Delete one first.',
    YOU_CANT_DELETE_YOUR_LAST_WAY_IN:
      'This passkey is your only way to sign in. First add another passkey or link an account, or confirm your email address.',
  } as Record<string, string>,
  {
    AUTH_CANCELLED: 'Es wurde kein Passkey verwendet. Versuche es noch einmal oder melde dich anders an.',
    CEREMONY_TIMED_OUT: 'Das hat zu lange gedauert, und dein Browser wartet nicht mehr. Versuche es noch einmal.',
    CEREMONY_DISPLACED: 'Der Vorgang wurde abgebrochen, weil du etwas anderes begonnen hast. Versuche es noch einmal.',
    WEBAUTHN_NOT_SUPPORTED: 'Dieser Browser unterstützt keine Passkeys.',
    ERROR_CEREMONY_ABORTED: 'Der Vorgang wurde abgebrochen.',
    ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY:
      'Es wurde kein Passkey erstellt: Der Vorgang wurde abgebrochen, oder dieses Gerät kann nicht prüfen, ob du es bist.',
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
      'Auf diesem Gerät oder in diesem Passwortmanager gibt es schon einen Passkey für dein Konto.',
    PREVIOUSLY_REGISTERED: 'Dieser Passkey ist schon eingerichtet.',
    PASSKEY_SIGN_UP_IS_NOT_ENABLED: 'Neue Konten brauchen hier ein Passwort.',
    ERROR_INVALID_DOMAIN: 'Unter dieser Adresse funktionieren Passkeys nicht. Öffne die Website über ihren Namen.',
    ERROR_INVALID_RP_ID: 'Passkeys dieser Website funktionieren unter dieser Adresse nicht.',
    ERROR_AUTHENTICATOR_GENERAL_ERROR: 'Das Gerät mit dem Passkey hatte ein Problem. Versuche es noch einmal.',
    ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
      'Dieses Gerät kann nicht prüfen, ob du es bist. Richte darauf eine PIN, einen Fingerabdruck oder Gesichtserkennung ein.',
    ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'Dieses Gerät kann keine Passkeys speichern.',
    ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
      'Dieses Gerät kann keine Passkeys erstellen, die diese Website akzeptiert.',
    CHALLENGE_NOT_FOUND: 'Das hat zu lange gedauert. Versuche es noch einmal.',
    AUTHENTICATION_FAILED: 'Dieser Passkey wurde nicht angenommen. Versuche es noch einmal oder melde dich anders an.',
    FAILED_TO_VERIFY_REGISTRATION:
      'Dieser Passkey wurde nicht angenommen. Vielleicht hat dein Gerät nicht geprüft, ob du es bist.',
    PASSKEY_NOT_FOUND: 'Dieser Passkey ist hier nicht mehr eingerichtet. Melde dich anders an.',
    YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Inzwischen hat sich jemand anderes angemeldet. Lade die Seite neu.',
    TOO_MANY_PASSKEYS: 'Mehr Passkeys kann dein Konto nicht haben. Lösche zuerst einen.',
    YOU_CANT_DELETE_YOUR_LAST_WAY_IN:
      'Ohne diesen Passkey kannst du dich nicht mehr anmelden. Richte zuerst einen weiteren ein, verknüpfe ein Konto oder bestätige deine E-Mail-Adresse.',
  },
)

export const passkeyErrors = errors

export const passkeyTexts = defineTexts(
  {
    way: 'Continue with a passkey',
    title: 'Passkeys',
    intro: 'Sign in with your fingerprint, your face or your device’s PIN instead of a password.',
    empty: 'You have no passkeys yet.',
    add: 'Add a passkey',
    unsupported: 'This browser cannot create passkeys.',
    unnamed: 'Passkey',
    added: 'Added',
    used: 'Last used',
    neverUsed: 'Never used',
    synced: 'Synced',
    rename: 'Rename',
    renameOne: (name: string) => `Rename ${name}`,
    remove: 'Delete',
    removeOne: (name: string) => `Delete ${name}`,
    nameTitle: 'Name your passkey',
    nameIntro: 'The passkey has been added. A name helps you tell it from others.',
    renameTitle: 'Rename the passkey',
    name: 'Name',
    nameRequired: 'Enter a name.',
    removeQuestion: (name: string) => `Delete “${name}”?`,
    removeWhat:
      'You can no longer sign in with it. If your password manager supports it, the passkey disappears there too.',
    saved: 'The name has been saved.',
    removed: (name: string) => `“${name}” has been deleted.`,
    addedToast: 'The passkey has been added.',
    signInAgain: 'Sign in again',
    offerLabel: 'A faster way to sign in',
    offer: 'Next time, sign in with your fingerprint, your face or your PIN. It is faster and safer than a password.',
    later: 'Not now',
  },
  {
    way: 'Weiter mit einem Passkey',
    title: 'Passkeys',
    intro: 'Melde dich statt mit einem Passwort mit Fingerabdruck, Gesicht oder der PIN deines Geräts an.',
    empty: 'Du hast noch keinen Passkey.',
    add: 'Passkey hinzufügen',
    unsupported: 'Dieser Browser kann keine Passkeys erstellen.',
    unnamed: 'Passkey',
    added: 'Hinzugefügt',
    used: 'Zuletzt verwendet',
    neverUsed: 'Noch nie verwendet',
    synced: 'Synchronisiert',
    rename: 'Umbenennen',
    renameOne: (name) => `${name} umbenennen`,
    remove: 'Löschen',
    removeOne: (name) => `${name} löschen`,
    nameTitle: 'Gib deinem Passkey einen Namen',
    nameIntro: 'Der Passkey ist eingerichtet. Ein Name hilft dir, ihn von anderen zu unterscheiden.',
    renameTitle: 'Passkey umbenennen',
    name: 'Name',
    nameRequired: 'Gib einen Namen ein.',
    removeQuestion: (name) => `„${name}“ löschen?`,
    removeWhat:
      'Du kannst dich damit nicht mehr anmelden. Wenn dein Passwortmanager das unterstützt, verschwindet er auch dort.',
    saved: 'Der Name ist gespeichert.',
    removed: (name) => `„${name}“ ist gelöscht.`,
    addedToast: 'Der Passkey ist eingerichtet.',
    signInAgain: 'Neu anmelden',
    offerLabel: 'Schneller anmelden',
    offer:
      'Melde dich beim nächsten Mal mit Fingerabdruck, Gesicht oder PIN an. Das geht schneller und ist sicherer als ein Passwort.',
    later: 'Nicht jetzt',
  },
)
