/// A self-signed certificate and its key, in PEM.
///
/// Made for tests, valid until 2126, and of no value anywhere else:
///
///     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
///       -subj /CN=localhost -addext subjectAltName=DNS:localhost,DNS:a.localhost,DNS:auth.example.test
package enum LocalhostCertificate {
  package static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBuDCCAV2gAwIBAgIUfd+5U4pAYIaHoZWIV/aIkGo9vbowCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA0NTc0NloYDzIxMjYxMDI5
    MDQ1NzQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQS2i+I9YmNXnf8s/1r6kXpVCVtaNV7tBQP/+GgMbFPH0KY8pLbhoDk
    wVwM3RsVhdCZA+yzRECTSiejBww0gAFyo4GKMIGHMB0GA1UdDgQWBBSsE2CgluGD
    fN1Bej5nPtWuqQogLTAfBgNVHSMEGDAWgBSsE2CgluGDfN1Bej5nPtWuqQogLTAP
    BgNVHRMBAf8EBTADAQH/MDQGA1UdEQQtMCuCCWxvY2FsaG9zdIILYS5sb2NhbGhv
    c3SCEWF1dGguZXhhbXBsZS50ZXN0MAoGCCqGSM49BAMCA0kAMEYCIQD2wPyuLxWQ
    1R0G7b7Id6Y9ZOkeQbOFG5Vz8MjspSjLLQIhAIu/KT7kU5FyyzxjXrqMlvZMWXTb
    //LU0ceQVhNLILUE
    -----END CERTIFICATE-----
    """

  package static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeEtuT82nJpl/bJX2
    6EMRwh2lrJjlM/aFvY/aGfA+HrChRANCAAQS2i+I9YmNXnf8s/1r6kXpVCVtaNV7
    tBQP/+GgMbFPH0KY8pLbhoDkwVwM3RsVhdCZA+yzRECTSiejBww0gAFy
    -----END PRIVATE KEY-----
    """
}
