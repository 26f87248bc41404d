// Sends the browser's time zone with the sign-up form. Without scripts a new account has UTC until its owner changes it.
export default function timeZone(field) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""
}
