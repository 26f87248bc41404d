// An OpenID provider for tests: any login name of the accounts it is given signs in with any password.
// Called with one argument, JSON: port, redirect (the address to send people back to), secret, accounts by login name.
import Provider from "oidc-provider";

const { port, redirect, secret, accounts } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [{ client_id: "taskboard", client_secret: secret, redirect_uris: [redirect] }],
  claims: {
    openid: ["sub", "auth_time"],
    email: ["email", "email_verified"],
    profile: ["name", "locale", "zoneinfo"],
    groups: ["groups"],
  },
  scopes: ["openid", "email", "profile", "groups"],
  pkce: { required: () => true },
  cookies: { keys: ["for tests only"] },
  findAccount: (context, id) =>
    accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
});
provider.listen(port, "127.0.0.1", () => console.log("ready"));
