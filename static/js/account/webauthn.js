// Options and answers of passkeys, between the JSON of the server and what navigator.credentials takes and gives. Bytes are
// base64url there.
const IDS = ["allowCredentials", "excludeCredentials"]

export function optionsFrom(json) {
  const options = typeof json === "string" ? JSON.parse(json) : json
  const read = { ...options, challenge: toBytes(options.challenge) }
  if (options.user) read.user = { ...options.user, id: toBytes(options.user.id) }
  for (const name of IDS) if (options[name]) read[name] = options[name].map((one) => ({ ...one, id: toBytes(one.id) }))
  return read
}

export function answerOf(credential) {
  const response = {}
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toText(credential.response[name])
  }
  return JSON.stringify({ id: credential.id, rawId: toText(credential.rawId), type: credential.type, response })
}

export function areThere() {
  return "PublicKeyCredential" in window && "credentials" in navigator
}

// Sends the form with the answer as one more field.
export function sendWith(form, field, credential) {
  const input = form.querySelector(`[name="${field}"]`) ?? document.createElement("input")
  Object.assign(input, { type: "hidden", name: field, value: answerOf(credential) })
  form.append(input)
  form.submit()
}

function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}

function toText(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}
