import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    private static final Pattern SIGNATURE = Pattern.compile("t=([0-9]{1,12}),v1=([0-9a-f]{64})");

    /** Whether the hub signed these bytes in the last five minutes. rawBody: as it came, before anything parses it. */
    public static boolean isFromHub(byte[] rawBody, String signature, String secret) throws GeneralSecurityException {
        Matcher match = SIGNATURE.matcher(signature == null ? "" : signature);
        if (!match.matches()) return false;
        long age = Instant.now().getEpochSecond() - Long.parseLong(match.group(1));
        if (Math.abs(age) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((match.group(1) + ".").getBytes(StandardCharsets.UTF_8));
        StringBuilder expected = new StringBuilder();
        for (byte each : mac.doFinal(rawBody)) expected.append(String.format("%02x", each));
        return MessageDigest.isEqual(
            expected.toString().getBytes(StandardCharsets.UTF_8), match.group(2).getBytes(StandardCharsets.UTF_8));
    }

    // Verify.isFromHub(rawBody, request.headers().firstValue("X-Hub-Signature").orElse(null), System.getenv("WEBHOOK_SECRET"))
}
