import type { Passkey } from './register.ts'

/** Our own line drawings of kinds of authenticators, on a grid of 24. */
const drawings: Record<Passkey['family'], string> = {
  // A cloud with a keyhole.
  apple:
    'M7 18.5h10a4.2 4.2 0 0 0 .7-8.3 6 6 0 0 0-11.5-1A4.7 4.7 0 0 0 7 18.5ZM12 11.4a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Zm0 2.6v2',
  // A phone with a check mark.
  google:
    'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3Zm1.5 9 1.8 1.8 3.2-3.4',
  // A screen with the dots of a PIN.
  windows:
    'M4.5 4.5h15A1.5 1.5 0 0 1 21 6v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15V6a1.5 1.5 0 0 1 1.5-1.5ZM12 16.5V20m-4 0h8M8 10.5h.01M12 10.5h.01M16 10.5h.01',
  // A stick with a plug and a button.
  'security-key':
    'M8.5 3.5h7V8h-7ZM7 8h10v11a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2ZM12 11.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8ZM11 5.7h.01M13 5.7h.01',
  // A safe with a dial.
  'password-manager':
    'M5 4h14a1.5 1.5 0 0 1 1.5 1.5v12A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5v-12A1.5 1.5 0 0 1 5 4Zm7 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Zm0 0v2.2m0 2.6V15M8.5 11.5h2.2m2.6 0h2.2M6.5 19v2m11-2v2',
  // A computer.
  device:
    'M6 5h12a1.5 1.5 0 0 1 1.5 1.5V15h-15V6.5A1.5 1.5 0 0 1 6 5ZM2.5 18h19M9.8 9.6a2.2 2.2 0 1 1 4.4 0v1m-5 0h5.6v-0h0v2.6H9.2v-2.6',
  // A key.
  unknown: 'M15.5 4a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Zm-3.2 7.7L4 20v-3m3 0-1.5 1.5M16.8 7.2h.01',
}

/** The kind of the authenticator, beside its name. */
export const PasskeyGlyph = ({ family }: Pick<Passkey, 'family'>) => (
  <svg
    aria-hidden
    data-family={family}
    viewBox="0 0 24 24"
    width={26}
    height={26}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    className="flex-none text-soft"
  >
    <path d={drawings[family]} />
  </svg>
)
