// Sign-up takes the browser's time zone; without scripts the account starts in UTC until its profile says otherwise.
export default function timeZone(field) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""
}
