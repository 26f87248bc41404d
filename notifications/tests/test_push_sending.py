"""Messages to push services are encrypted and signed, and some addresses are never called."""

import contextlib
import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.utils import timezone

from core.http.public_addresses import is_public
from notifications.push import keys, posting
from notifications.push.encryption import LONGEST, encrypt
from notifications.push.endpoints import is_allowed
from notifications.push.posting import PushAnswer, PushServiceAway, post
from notifications.tests.push_service import Subscription, bytes_of, text_of
from taskboard.tests.waiting import wait_until


def test_the_example_of_the_standard_is_encrypted_as_there():
    """RFC 8291, section 5."""
    browser = Subscription("", private="q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", secret="BTBZMqHH6r4Tts7J_aSIgg")
    own = derive_private_key(int.from_bytes(bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), SECP256R1())
    text, salt = b"When I grow up, I want to be a watermelon", bytes_of("DGv6ra1nlYgDCS1FRnbzlw")
    body = encrypt(text, browser.point, browser.secret, salt=salt, own=own, step=1)
    assert text_of(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert browser.decrypt(body) == text


@pytest.mark.parametrize("length", [0, 1, 1023, 1024, LONGEST])
def test_no_length_of_a_text_makes_a_message_too_long(length):
    browser = Subscription("")
    body = encrypt(b"x" * length, browser.point, browser.secret)
    assert browser.decrypt(body) == b"x" * length


def test_short_messages_all_have_the_same_length():
    browser = Subscription("")
    assert len({len(encrypt(b"x" * length, browser.point, browser.secret)) for length in (1, 100, 800)}) == 1


def test_a_message_is_signed_for_its_push_service_and_nobody_else(service, settings):
    settings.PUSH_CONTACT = "mailto:operator@example.com"
    endpoint = f"{service.url}/one"
    header = keys.authorization(endpoint, keys.public_key(), timezone.now())
    assert post(endpoint, b"body", {"Authorization": header, "TTL": "60"}) == PushAnswer(201, None)
    claims = service.sent[0].claims(audience=service.url)
    assert claims["sub"] == "mailto:operator@example.com"
    assert timezone.now() < datetime.fromtimestamp(claims["exp"], UTC) <= timezone.now() + timedelta(hours=24)
    assert service.sent[0].headers["ttl"] == "60"


def test_the_key_is_the_same_in_every_process_and_a_former_secret_key_still_signs(settings):
    first = keys.public_key()
    assert first == keys.public_key()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new " * 10, [settings.SECRET_KEY]
    assert keys.public_key() != first
    assert keys.is_known(first)
    settings.SECRET_KEY_FALLBACKS = []
    assert not keys.is_known(first)


def test_a_key_of_the_settings_comes_before_that_of_the_secret_key(settings):
    before = keys.public_key()
    settings.PUSH_PRIVATE_KEYS = ["yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"]
    assert keys.public_key() == (
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    )
    assert keys.is_known(before)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/x",
        "ftp://push.example.com/x",
        "https://push.example.com:8443/x",
        "https://push.example.com:80/x",
        "https://user@push.example.com/x",
        "https://push.example.com/x#part",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[64:ff9b::a00:1]/x",
        "https://10.0.0.1/x",
        "https://192.168.1.5/x",
        "https://169.254.169.254/latest/meta-data",
        "https://push.example.com/" + "x" * 1000,
        "https://push.example.com/a b",
        "https://push.example.com/\r\nHost: other",
        "https://pu\u0455h.example.com/x",
        "https://push.example.com\\@127.0.0.1/",
        "https:///x",
        "https://push.example.com:99999/x",
        "",
    ],
)
def test_what_is_no_address_of_a_push_service_is_refused(endpoint):
    assert not is_allowed(endpoint)
    with pytest.raises(PushServiceAway):
        post(endpoint, b"", {})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.169.254",
        "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
        "fe80::1%eth0", "fec0::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    ],
)  # fmt: skip
def test_addresses_of_own_networks_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450:4001::200a", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


@pytest.fixture
def looked_up(monkeypatch):
    """Names that lead where a test says, and a list of what is called."""
    names: dict[str, list[str]] = {}
    called: list[str] = []

    def look_up(host, port, *rest, **more):
        found = names.get(host, [host])
        return [(socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port)) for one in found]

    def connect(address, *rest, **options):
        called.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    return names, called


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "169.254.169.254", "::1", "10.0.0.8", "::ffff:192.168.0.1", "fd00::1"]
)
def test_a_name_that_leads_into_an_own_network_is_not_called(looked_up, address):
    names, called = looked_up
    names["push.example.com"] = [address]
    with pytest.raises(PushServiceAway):
        post("https://push.example.com/x", b"", {})
    assert called == []


def test_of_a_names_addresses_only_the_public_ones_are_called_and_not_looked_up_again(looked_up):
    names, called = looked_up
    names["push.example.com"] = ["10.0.0.8", "8.8.8.8", "127.0.0.1"]
    with pytest.raises(PushServiceAway):
        post("https://push.example.com/x", b"", {})
    assert called == ["8.8.8.8"]
    assert all(ip_address(one) for one in called)


def test_a_number_in_place_of_a_name_is_not_called():
    for host in ("2130706433", "0x7f.1", "127.1", "localhost"):
        with pytest.raises(PushServiceAway):
            post(f"https://{host}/x", b"", {})


def test_a_redirect_is_not_followed(service):
    service.answer = lambda: (307, {"Location": f"{service.url}/elsewhere"})
    assert post(f"{service.url}/one", b"", {}).status == 307
    assert [one.path for one in service.sent] == ["/one"]


@pytest.mark.parametrize(
    "text, wait",
    [
        ("120", timedelta(minutes=2)),
        ("99999999999999999999", timedelta(days=1)),
        ("soon", None),
        ("", None),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        (format_datetime(datetime(2000, 1, 1, tzinfo=UTC), usegmt=True), timedelta(0)),
    ],
)
def test_how_long_to_wait_is_read(service, text, wait):
    service.answer = lambda: (429, {"Retry-After": text})
    assert post(f"{service.url}/one", b"", {}) == PushAnswer(429, wait)


@pytest.fixture
def raw_server(settings):
    """Serve one connection by a function of the test; return the address."""
    servers = []

    def serve(talk):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def accept():
            line, _peer = server.accept()
            with line, contextlib.suppress(OSError):
                talk(line)

        threading.Thread(target=accept, daemon=True).start()
        settings.PUSH_SERVERS = [f"http://127.0.0.1:{server.getsockname()[1]}"]
        return f"{settings.PUSH_SERVERS[0]}/x"

    yield serve
    for server in servers:
        server.close()


def test_an_answer_that_drips_ends_in_time(raw_server, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.2)

    def drip(line):
        def is_shut():
            with contextlib.suppress(OSError):
                return line.sendall(b"x")
            return True

        line.sendall(b"HTTP/1.1 201 Created\r\nX: ")
        wait_until(is_shut)

    with pytest.raises(PushServiceAway, match="TimeoutError"):
        post(raw_server(drip), b"", {})


def test_an_answer_that_is_too_long_is_not_read(raw_server):
    def flood(line):
        line.recv(65_536)
        line.sendall(b"HTTP/1.1 201 Created\r\n")
        for number in range(60):  # as many as http.client itself takes
            line.sendall(b"X-%d: %s\r\n" % (number, b"x" * 1000))
        line.sendall(b"\r\n")

    with pytest.raises(PushServiceAway):
        post(raw_server(flood), b"", {})


@pytest.mark.parametrize("talk", [b"", b"220 mail.example.com ESMTP\r\n", b"HTTP/1.1 abc\r\n\r\n"])
def test_what_speaks_no_http_is_away(raw_server, talk):
    with pytest.raises(PushServiceAway):
        post(raw_server(lambda line: (line.recv(65_536), line.sendall(talk))), b"", {})


@pytest.fixture
def certified(tmp_path, settings):
    """A server with a certificate for localhost that its own authority gave; return its port and that certificate's file."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    trusted, private = tmp_path / "certificate.pem", tmp_path / "key.pem"
    trusted.write_bytes(certificate.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted, private)
    server = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            try:
                line, _peer = server.accept()
                with context.wrap_socket(line, server_side=True) as secured:
                    secured.recv(65_536)
                    secured.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            except ssl.SSLError:
                continue
            except OSError:
                if server.fileno() < 0:
                    return

    threading.Thread(target=accept, daemon=True).start()
    port = server.getsockname()[1]
    settings.PUSH_SERVERS = [f"https://localhost:{port}", f"https://127.0.0.1:{port}"]
    yield port, trusted
    server.close()


def test_a_certificate_that_nobody_vouches_for_is_refused(certified):
    port, _trusted = certified
    with pytest.raises(PushServiceAway, match="SSLCertVerificationError"):
        post(f"https://localhost:{port}/x", b"", {})


def test_over_tls_the_name_is_checked(certified, monkeypatch):
    port, trusted = certified
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    assert post(f"https://localhost:{port}/x", b"", {}).status == 201
    with pytest.raises(PushServiceAway, match="SSLCertVerificationError"):
        post(f"https://127.0.0.1:{port}/x", b"", {})
